import { albumCommand } from './album-command.ts'
import { runCommand } from './run-command.ts'

await runCommand(() => albumCommand(process.argv.slice(2), process.env, console.log))
