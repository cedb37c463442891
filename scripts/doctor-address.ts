/** A batch of photos that a page sends has at most 79 MB. */
const MEGABYTES = [16, 80]
/** Ms for one upload, also over a slow line. */
const TIMEOUT_MS = 300_000

/** Asks PUBLIC_URL whether Inframe answers there, and whether uploads reach it. @returns what was found, in words
 *  @throws Error with what is wrong */
export async function checkAddress(publicUrl: string): Promise<string> {
  // Unlike /healthz, this is not answered when a proxy passes another host name on.
  const url = `${publicUrl}/api/openapi.json`
  const timely = { signal: AbortSignal.timeout(10_000), redirect: 'manual' as const }
  const { status } = await fetch(url, timely).catch(() => {
    throw new Error(
      `PUBLIC_URL: no answer from ${url}. Is Inframe running, and does this address lead to it?`,
    )
  })
  if (status !== 200)
    throw new Error(
      `PUBLIC_URL: ${url} answered ${status}. It should lead to a running Inframe, and a proxy in between should pass the Host header on.`,
    )
  const refused = await refusedSize(publicUrl)
  if (refused)
    throw new Error(
      `PUBLIC_URL: something in front of Inframe refuses uploads of ${refused}. Let it pass 80 MB, which a batch of ` +
        'photos may have (nginx: client_max_body_size 80m;).',
    )
  return `Inframe answers at ${publicUrl}, and uploads of 16 and 80 MB reach it`
}

/** Sends uploads of both sizes, for an album that does not exist, through `url`. Inframe itself refuses them in its JSON. What
 *  anything else answers comes from something in front of it.
 *  @returns the smaller one that does not reach Inframe, with a reason, in words; undefined when both do */
export async function refusedSize(url: string): Promise<string | undefined> {
  for (const size of MEGABYTES) {
    const why = await refusalOf(url, size)
    if (why !== undefined) return `${size} MB (${why})`
  }
}

async function refusalOf(url: string, megabytes: number): Promise<string | undefined> {
  const body = new FormData()
  body.append('photos', new Blob([new Uint8Array(megabytes * 1_000_000)]), 'doctor.jpg')
  try {
    const answer = await fetch(`${url}/api/albums/doctor/upload-photos`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { code } = (await answer.json().catch(() => ({}))) as { code?: unknown }
    return typeof code === 'string' ? undefined : `answered ${answer.status}`
  } catch (error) {
    const { cause = error } = error as Error
    return String((cause as NodeJS.ErrnoException).code ?? cause)
  }
}
