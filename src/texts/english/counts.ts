/** Numbers of things, in English. */
import { digits, type PluralForms, pluralOf } from '../numbers.ts'

export const plural = (count: number, forms: PluralForms) => pluralOf('en', count, forms)
export const photos = (count: number) =>
  `${digits(count)} ${plural(count, { one: 'photo', other: 'photos' })}`
export const capitalPhotos = (count: number) =>
  `${digits(count)} ${plural(count, { one: 'Photo', other: 'Photos' })}`
export const files = (count: number) => `${digits(count)} ${plural(count, { one: 'file', other: 'files' })}`
export const minutes = (count: number) =>
  `${digits(count)} ${plural(count, { one: 'minute', other: 'minutes' })}`
export const faces = (count: number) => `${digits(count)} ${plural(count, { one: 'face', other: 'faces' })}`
export const are = (count: number) => plural(count, { one: 'is', other: 'are' })
