import { useMutation } from '@tanstack/react-query'
import { redirectAddresses, oauthHelper as texts } from '../../src/texts/english/mail-setup.ts'
import * as common from '../../src/texts/english/words.ts'
import { failureText, serverMessage } from '../lib/failure.ts'
import { trpc } from '../trpc.ts'
import { MailIcon } from '../ui/action-icons.tsx'
import { Button } from '../ui/button.tsx'
import { buttonLook } from '../ui/button-look.ts'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHeading } from '../ui/page.tsx'
import { dismissFailures, toast } from '../ui/toast-store.ts'

export default function OauthHelperPage() {
  const { client } = trpc.useUtils()
  const generate = useMutation({
    mutationFn: () => client.mailSetup.helperAuthUrl.query(),
    onSuccess: dismissFailures,
    onError: () => toast({ title: common.error, description: texts.notGenerated, tone: 'error' }),
  })

  return (
    <Page width="read">
      <PageHeading title={texts.title} subtitle={texts.subtitle} />
      <Card className="space-y-6">
        <Button
          size="lg"
          className="w-full"
          look={generate.data ? 'secondary' : 'primary'}
          busy={generate.isPending}
          onClick={() => generate.mutate()}
        >
          {texts.generate}
        </Button>
        {generate.isError && (
          <Notice
            tone="error"
            title={`${serverMessage(generate.error) ? common.error : texts.error}: ${failureText(generate.error)}`}
          />
        )}
        {generate.data && (
          <>
            <div>
              <h2 className="font-semibold">{redirectAddresses.title}</h2>
              <p className="mt-1 text-ink-soft">{redirectAddresses.text}</p>
              <ul className="mt-3 space-y-2">
                {generate.data.redirectUris.map((address) => (
                  <li
                    key={address}
                    className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all select-all"
                  >
                    {address}
                  </li>
                ))}
              </ul>
            </div>
            <div role="status">
              <a
                href={generate.data.authUrl}
                target="_blank"
                rel="noopener"
                className={`${buttonLook('primary', 'lg')} w-full`}
              >
                <MailIcon />
                {texts.authorize}
              </a>
              <p className="mt-3 text-ink-soft">{texts.nextTab}</p>
            </div>
          </>
        )}
      </Card>
    </Page>
  )
}
