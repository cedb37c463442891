import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocument } from '../src/http/openapi.ts'

const FILE = 'src/contract/openapi.json'

await writeFile(join(import.meta.dirname, '..', FILE), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
console.log(`Wrote ${FILE}`)
