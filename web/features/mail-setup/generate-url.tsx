import { useMutation } from '@tanstack/react-query'
import { generateUrl as texts } from '../../../src/texts/english/mail-setup.ts'
import * as common from '../../../src/texts/english/words.ts'
import { failureText } from '../../lib/failure.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { toast } from '../../ui/toast-store.ts'

/** Opens Google's page in a new tab. @param onGenerated gets the state that Google will return with the code */
export function GenerateUrl({ onGenerated }: { onGenerated: (state: string) => void }) {
  const { client } = trpc.useUtils()
  const generate = useMutation({
    mutationFn: () => client.mailSetup.authUrl.query(),
    onSuccess: ({ authUrl }) => {
      toast({ title: texts.generated, tone: 'success' })
      onGenerated(new URL(authUrl).searchParams.get('state') ?? '')
      window.open(authUrl, '_blank', 'noopener')
    },
    onError: () => toast({ title: common.error, description: texts.failed, tone: 'error' }),
  })

  return (
    <div className="space-y-4">
      <Button
        size="lg"
        look="secondary"
        className="w-full"
        busy={generate.isPending}
        onClick={() => generate.mutate()}
      >
        {texts.generate}
      </Button>
      {generate.isError && <Notice tone="error" title={`${texts.error}: ${failureText(generate.error)}`} />}
      {generate.data && (
        <p className="text-ink-soft">
          {/* Browsers may stop a page from opening tabs. */}
          <Sentence
            of={texts.noNewTab((text) => (
              <a
                href={generate.data.authUrl}
                target="_blank"
                rel="noopener"
                className="font-medium text-ink underline underline-offset-4"
              >
                {text}
              </a>
            ))}
          />
        </p>
      )}
    </div>
  )
}
