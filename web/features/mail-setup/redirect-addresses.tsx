import { redirectAddresses as texts } from '../../../src/texts/english/mail-setup.ts'
/** The addresses that must be registered with the OAuth client. Google redirects to no others. */
export function RedirectAddresses({ addresses }: { addresses: readonly string[] }) {
  return (
    <div>
      <h2 className="font-semibold">{texts.title}</h2>
      <p className="mt-1 text-ink-soft">{texts.text}</p>
      <ul className="mt-3 space-y-2">
        {addresses.map((address) => (
          <li
            key={address}
            className="rounded-md bg-sunken px-3 py-2 font-mono text-sm [overflow-wrap:anywhere] select-all"
          >
            {address}
          </li>
        ))}
      </ul>
    </div>
  )
}
