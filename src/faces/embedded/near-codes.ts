import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'

/** near-codes.wat, compiled. The test beside it compiles it again. */
export const compiledModule = [
  'AGFzbQEAAAABCwFgBn9/f39/fwF/AhEBBWNvZGVzBm1lbW9yeQIAAQMCAQAHCAEEbmVhcgAACpICAY8CBAR/AnsBfwF8IAMgBEGIAWxqIQgCQA',
  'NAIAYgAk8NASAFIAY2AgAgAyEHAkADQCAHIAhPDQH9DAAAAAAAAAAAAAAAAAAAAAAhCkEAIQkDQCAAIAlq/QEDACAHIAlq/QEDAP2RASELIAog',
  'CyAL/boB/a4BIQogACAJav0BAwggByAJav0BAwj9kQEhCyAKIAsgC/26Af2uASEKIAlBEGohCSAJQYABSQ0ACyAK/RsAIAr9GwFqIAr9GwIgCv',
  '0bA2pqIQwgBysDgAEgASoCALugIQ0gDLcgDSANomUEQCAFQQRqIQUMAgsgB0GIAWohBwwACwsgAEGAAWohACABQQRqIQEgBkEBaiEGDAALCyAF',
  'Cw==',
].join('')

/** So many rows are compared at a time. Their codes are half a megabyte, which the cache of a core holds. */
const MOST_ROWS = 4_096

/** Where the parts of the memory begin, in bytes. */
const ERRORS_AT = MOST_ROWS * DESCRIPTOR_LENGTH
const FOUND_AT = ERRORS_AT + MOST_ROWS * Float32Array.BYTES_PER_ELEMENT
const PROBES_AT = FOUND_AT + MOST_ROWS * Uint32Array.BYTES_PER_ELEMENT
const PROBE_BYTES = DESCRIPTOR_LENGTH + Float64Array.BYTES_PER_ELEMENT
const PAGE_BYTES = 65_536

/** The part that is used here: TypeScript knows it only together with the browser's types. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): void }
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: unknown }
}

const memory = new WebAssembly.Memory({ initial: Math.ceil(PROBES_AT / PAGE_BYTES) })
const { near } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(compiledModule, 'base64')), {
  codes: { memory },
}).exports as {
  near(row: number, error: number, rows: number, firstProbe: number, probes: number, found: number): number
}

/** Descriptors as codes (see face-codes.ts). */
export interface Rows {
  count: number
  /** 128 of each row. */
  codes: Int8Array
  /** How far each descriptor is from what its codes stand for, in codes. */
  errors: Float32Array
}

export interface Probe {
  /** 128 of them. */
  codes: Int8Array
  /** In codes. */
  reach: number
}

/** The places of the rows that are near one of the probes, in order: whose codes are at most the probe's reach and the
 *  row's error away from those of the probe.
 *
 *  WebAssembly compares sixteen codes at a time. For 50,000 rows and one probe this takes 0.7 ms. A loop in JavaScript
 *  that stopped as soon as the sum was too large took 4.3 ms (`npm run bench -- search`). Memory of WebAssembly cannot be
 *  given back, so the rows are copied into a small one that is used again and again. */
export function rowsNear({ count, codes, errors }: Rows, probes: readonly Probe[]): number[] {
  writeProbes(probes)
  const places: number[] = []
  for (let from = 0; from < count; from += MOST_ROWS) {
    const to = Math.min(from + MOST_ROWS, count)
    new Int8Array(memory.buffer).set(codes.subarray(from * DESCRIPTOR_LENGTH, to * DESCRIPTOR_LENGTH))
    new Float32Array(memory.buffer, ERRORS_AT).set(errors.subarray(from, to))
    const end = near(0, ERRORS_AT, to - from, PROBES_AT, probes.length, FOUND_AT)
    for (const place of new Uint32Array(
      memory.buffer,
      FOUND_AT,
      (end - FOUND_AT) / Uint32Array.BYTES_PER_ELEMENT,
    ))
      places.push(from + place)
  }
  return places
}

function writeProbes(probes: readonly Probe[]): void {
  const missing = PROBES_AT + probes.length * PROBE_BYTES - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
  for (const [place, { codes, reach }] of probes.entries()) {
    const at = PROBES_AT + place * PROBE_BYTES
    new Int8Array(memory.buffer, at).set(codes)
    new Float64Array(memory.buffer, at + DESCRIPTOR_LENGTH, 1)[0] = reach
  }
}
