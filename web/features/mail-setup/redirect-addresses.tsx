/** The addresses that must be registered with the OAuth client. Google redirects to no others. */
export function RedirectAddresses({ addresses }: { addresses: readonly string[] }) {
  return (
    <div>
      <h2 className="font-semibold">Redirect addresses to register</h2>
      <p className="mt-1 text-ink-soft">
        Add them to the OAuth client in Google's console, exactly as they are here:
      </p>
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
