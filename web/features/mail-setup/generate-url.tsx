import { useMutation } from '@tanstack/react-query'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { FailureNotice } from './failure-notice.tsx'

/** Opens Google's page in a new tab. @param onGenerated gets the state that Google will return with the code */
export function GenerateUrl({ onGenerated }: { onGenerated: (state: string) => void }) {
  const { client } = trpc.useUtils()
  const generate = useMutation({
    mutationFn: () => client.mailSetup.authUrl.query(),
    onSuccess: ({ authUrl }) => {
      toast({ title: 'OAuth URL Generated', tone: 'success' })
      onGenerated(new URL(authUrl).searchParams.get('state') ?? '')
      window.open(authUrl, '_blank', 'noopener')
    },
    onError: () => toast({ title: 'Error', description: 'Failed to generate auth URL', tone: 'error' }),
  })

  return (
    <div className="space-y-4">
      <Button
        size="lg"
        look="secondary"
        className="w-full"
        busy={generate.isPending}
        disabled={generate.isPending}
        onClick={() => generate.mutate()}
      >
        Generate OAuth URL
      </Button>
      {generate.isError && <FailureNotice prefix="Error generating auth URL" error={generate.error} />}
      {generate.data && (
        <p className="text-ink-soft">
          {/* Browsers may stop a page from opening tabs. */}
          No new tab?{' '}
          <a
            href={generate.data.authUrl}
            target="_blank"
            rel="noopener"
            className="font-medium text-ink underline underline-offset-4"
          >
            Open the address
          </a>
          . It is valid for 15 minutes.
        </p>
      )}
    </div>
  )
}
