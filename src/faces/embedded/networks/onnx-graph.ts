/** Writes a network in the ONNX format, which is a protocol buffer:
 *  https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. The numbers of fields and types come from there. */

/** A value in a graph: an input, a constant, or what a node gives. */
export type Value = string

/** A number is written as an integer, `{ float }` as a float32. */
export type Attributes = Record<string, number | readonly number[] | { float: number }>

export interface OnnxGraph {
  /** @param dims a text is the name of a side that may have any length */
  input(name: string, type: 'float' | 'uint8', dims: readonly (number | string)[]): Value
  constant(data: Float32Array, dims: readonly number[]): Value
  integers(data: readonly number[]): Value
  /** Applies an operator (https://onnx.ai/onnx/operators). */
  node(operator: string, inputs: readonly Value[], attributes?: Attributes): Value
  /** Makes a value an output of the graph, by this name. */
  output(name: string, value: Value): void
  toBytes(): Buffer
}

/** Version 17 of the operators: every runtime since 2022 has it. */
const OPERATORS_VERSION = 17
const FORMAT_VERSION = 8
const TENSOR_TYPES = { float: 1, uint8: 2, int64: 7 } as const
const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 } as const

type Parts = readonly Uint8Array[]

export function createOnnxGraph(name: string): OnnxGraph {
  const nodes: Uint8Array[] = []
  const constants: Uint8Array[] = []
  const inputs: Uint8Array[] = []
  const outputs: Uint8Array[] = []
  let values = 0
  const newValue = () => `v${values++}`

  function addConstant(type: 'float' | 'int64', dims: readonly number[], data: Uint8Array): Value {
    const value = newValue()
    constants.push(
      ...message(5, [
        ...dims.map((side) => integer(1, side)),
        integer(2, TENSOR_TYPES[type]),
        ...text(8, value),
        ...message(9, [data]),
      ]),
    )
    return value
  }

  return {
    input(input, type, dims) {
      inputs.push(...message(11, describe(input, type, dims)))
      return input
    },

    constant(data, dims) {
      return addConstant('float', dims, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    },

    integers(data) {
      return addConstant(
        'int64',
        [data.length],
        new Uint8Array(BigInt64Array.from(data, (value) => BigInt(value)).buffer),
      )
    },

    node(operator, from, attributes = {}) {
      const value = newValue()
      nodes.push(
        ...message(1, [
          ...from.flatMap((input) => text(1, input)),
          ...text(2, value),
          ...text(4, operator),
          ...Object.entries(attributes).flatMap(([key, given]) => message(5, attribute(key, given))),
        ]),
      )
      return value
    },

    output(output, value) {
      nodes.push(...message(1, [...text(1, value), ...text(2, output), ...text(4, 'Identity')]))
      // Its sides follow from the graph.
      outputs.push(...message(12, describe(output, 'float')))
    },

    toBytes() {
      const graph = [...nodes, ...text(2, name), ...constants, ...inputs, ...outputs]
      return Buffer.concat([
        integer(1, FORMAT_VERSION),
        ...message(7, graph),
        ...message(8, [integer(2, OPERATORS_VERSION)]),
      ])
    },
  }
}

function describe(
  name: string,
  type: keyof typeof TENSOR_TYPES,
  dims?: readonly (number | string)[],
): Uint8Array[] {
  const side = (length: number | string) =>
    message(1, typeof length === 'number' ? [integer(1, length)] : text(2, length))
  const shape = dims ? message(2, dims.flatMap(side)) : []
  const tensor = message(1, [integer(1, TENSOR_TYPES[type]), ...shape])
  return [...text(1, name), ...message(2, tensor)]
}

function attribute(name: string, value: Attributes[string]): Uint8Array[] {
  if (typeof value === 'number')
    return [...text(1, name), integer(3, value), integer(20, ATTRIBUTE_TYPES.int)]
  if ('float' in value) return [...text(1, name), float(2, value.float), integer(20, ATTRIBUTE_TYPES.float)]
  return [...text(1, name), ...value.map((item) => integer(8, item)), integer(20, ATTRIBUTE_TYPES.ints)]
}

// The four kinds of fields that are needed (https://protobuf.dev/programming-guides/encoding). A field begins with its
// number and its wire type.

function message(field: number, content: Parts): Uint8Array[] {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  return [Uint8Array.from([...varint(field * 8 + 2), ...varint(length)]), ...content]
}

function text(field: number, value: string): Uint8Array[] {
  return message(field, [Buffer.from(value)])
}

function integer(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field * 8), ...varint(value)])
}

function float(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Uint8Array.from([...varint(field * 8 + 5), ...bytes])
}

/** Seven bits a byte, the lowest first. Not for negative numbers. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}
