import { changeListing, changeSettings } from '../src/albums/settings.ts'
import { COMMAND_LINE } from '../src/audit/audit-log.ts'
import type { Album } from '../src/database/schema.ts'
import type { CommandContext } from './command-context.ts'

type Setting = keyof typeof SETTINGS

/** The settings that `npm run album -- set` knows: the values of each, with what is then true of the album. */
const SETTINGS = {
  listed: {
    yes: 'The public list shows it when it has photos.',
    no: 'It is off the public list. Its link and its password still work.',
  },
  browsing: {
    on: 'Guests may see all its photos without a selfie.',
    off: 'Guests see only the photos that a selfie finds.',
  },
  consentTick: {
    on: 'Guests tick that they agree before each search.',
    off: 'Guests need no tick. With each search they agree.',
  },
} as const

/** Changes settings of an album, and prints what is then true of it.
 *  @param words settings with their values, as `browsing on` or `browsing=on`
 *  @throws Error when one of them does not exist; nothing is changed then */
export async function setSettings(
  { services, print }: CommandContext,
  album: Pick<Album, 'id' | 'display_name' | 'owner_key_version'>,
  words: string[],
): Promise<void> {
  const { listed, browsing, consentTick } = readSettings(words)
  if (listed) await changeListing(services.db, album, listed === 'yes')
  await changeSettings(services, album, { browsing, consentTick }, COMMAND_LINE)
  print(`"${album.display_name}":`)
  if (listed) print(`  ${SETTINGS.listed[listed]}`)
  if (browsing) print(`  ${SETTINGS.browsing[browsing]}`)
  if (consentTick) print(`  ${SETTINGS.consentTick[consentTick]}`)
}

type Settings = { [Name in Setting]?: keyof (typeof SETTINGS)[Name] | undefined }

function readSettings(words: string[]): Settings {
  const parts = words.flatMap((word) => word.split('='))
  const settings: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 2) {
    const [name = '', value = ''] = parts.slice(at)
    if (!isSetting(name) || !Object.hasOwn(SETTINGS[name], value)) throw unknownSetting(name, value)
    settings[name] = value
  }
  return settings
}

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name)

function unknownSetting(name: string, value: string): Error {
  const known = Object.entries(SETTINGS).map(
    ([setting, values]) => `${setting} ${Object.keys(values).join('|')}`,
  )
  return new Error(`"${`${name} ${value}`.trim()}" is not a setting. There are: ${known.join(', ')}.`)
}
