/** A batch of photos that a page sends has at most 79 MB. */
const MEGABYTES = [16, 80]
/** Ms for one upload, also over a slow line. */
const TIMEOUT_MS = 300_000

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
