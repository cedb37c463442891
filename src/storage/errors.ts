import { AppError } from '../errors.ts'

export const fileMissing = (cause?: unknown) =>
  new AppError('NOT_FOUND', 'This file is no longer stored', { cause })

export const storageFull = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The photo storage is full', { cause })

export const storageUnavailable = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The photo storage is currently unavailable', { cause })
