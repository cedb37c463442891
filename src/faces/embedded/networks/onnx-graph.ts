/** Writes a network in the ONNX format, which is a protocol buffer:
 *  https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. The numbers of fields and types come from there. */

/** A value in a graph: an input, a constant, or what a node gives. */
export type Value = string

export type OnnxGraph = ReturnType<typeof createOnnxGraph>

type Attributes = Record<string, number | readonly number[]>

/** Version 17 of the operators: every runtime since 2022 has it. */
const OPERATORS_VERSION = 17
const FORMAT_VERSION = 8
const TENSOR_TYPES = { float: 1, uint8: 2, int64: 7 } as const
const ATTRIBUTE_TYPES = { int: 2, ints: 7 } as const

/** A field of a protocol buffer (https://protobuf.dev/programming-guides/encoding): a number, a text, bytes, or a message,
 *  which is a list of fields. */
type Field = readonly [number: number, content: number | string | Uint8Array | readonly Field[]]

export function createOnnxGraph(name: string) {
  const nodes: Field[] = []
  const constants: Field[] = []
  const inputs: Field[] = []
  const outputs: Field[] = []
  let values = 0
  const newValue = () => `v${values++}`

  function addConstant(
    type: 'float' | 'int64',
    dims: readonly number[],
    { buffer, byteOffset, byteLength }: Float32Array | BigInt64Array,
  ): Value {
    const value = newValue()
    const data = new Uint8Array(buffer, byteOffset, byteLength)
    const sides = dims.map((side): Field => [1, side])
    constants.push([5, [...sides, [2, TENSOR_TYPES[type]], [8, value], [9, data]]])
    return value
  }

  function addNode(operator: string, from: readonly Value[], to: Value, attributes: Attributes = {}): Value {
    const given = Object.entries(attributes).map(([key, item]): Field => [5, attribute(key, item)])
    nodes.push([1, [...from.map((input): Field => [1, input]), [2, to], [4, operator], ...given]])
    return to
  }

  return {
    /** @param dims a text is the name of a side that may have any length */
    input(input: string, type: 'float' | 'uint8', dims: readonly (number | string)[]): Value {
      const sides = dims.map((side): Field => [1, [typeof side === 'number' ? [1, side] : [2, side]]])
      inputs.push([11, describe(input, type, [[2, sides]])])
      return input
    },

    constant: (data: Float32Array, dims: readonly number[]) => addConstant('float', dims, data),
    integers: (data: readonly number[]) =>
      addConstant('int64', [data.length], BigInt64Array.from(data, BigInt)),

    /** Applies an operator (https://onnx.ai/onnx/operators). */
    node: (operator: string, from: readonly Value[], attributes?: Attributes) =>
      addNode(operator, from, newValue(), attributes),

    /** Makes a value an output of the graph, by this name. */
    output(output: string, value: Value): void {
      addNode('Identity', [value], output)
      // Its sides follow from the graph.
      outputs.push([12, describe(output, 'float', [])])
    },

    toBytes: () =>
      bytesOf([
        [1, FORMAT_VERSION],
        [7, [...nodes, [2, name], ...constants, ...inputs, ...outputs]],
        [8, [[2, OPERATORS_VERSION]]],
      ]),
  }
}

function describe(name: string, type: keyof typeof TENSOR_TYPES, shape: readonly Field[]): Field[] {
  return [
    [1, name],
    [2, [[1, [[1, TENSOR_TYPES[type]], ...shape]]]],
  ]
}

function attribute(name: string, value: number | readonly number[]): Field[] {
  if (typeof value === 'number')
    return [
      [1, name],
      [3, value],
      [20, ATTRIBUTE_TYPES.int],
    ]
  return [[1, name], ...value.map((item): Field => [8, item]), [20, ATTRIBUTE_TYPES.ints]]
}

function bytesOf(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, content]) => {
      // A field begins with its number and its wire type.
      if (typeof content === 'number') return [varint(number * 8), varint(content)]
      const bytes =
        content instanceof Uint8Array
          ? content
          : typeof content === 'string'
            ? Buffer.from(content)
            : bytesOf(content)
      return [varint(number * 8 + 2), varint(bytes.length), bytes]
    }),
  )
}

/** Seven bits a byte, the lowest first. Not for negative numbers. */
function varint(value: number): Buffer {
  return value < 128
    ? Buffer.of(value)
    : Buffer.concat([Buffer.of((value % 128) + 128), varint(Math.floor(value / 128))])
}
