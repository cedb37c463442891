import { legalText as texts } from '../../../src/texts/english/legal.ts'
import { Page, PageHeading } from '../../ui/page.tsx'

interface Section {
  heading: string
  /** Its paragraphs. An array is a list. What is between two `**` is strong. */
  body: readonly (string | readonly string[])[]
}

export interface LegalTextProps {
  title: string
  /** When it was written. */
  date: string
  /** What has changed since. */
  additions: readonly { date: string; text: string }[]
  sections: readonly Section[]
}

const LIST = 'list-disc space-y-1.5 pl-5 marker:text-line-strong'

/** A long text in parts with headings. */
export function LegalText({ title, date, additions, sections }: LegalTextProps) {
  return (
    <Page width="read">
      <article>
        <PageHeading title={title} subtitle={texts.updated(date)} />
        {additions.length > 0 && (
          <section aria-labelledby="additions" className="mb-8 text-ink-soft">
            <h2 id="additions" className="mb-2 font-semibold">
              {texts.additions}
            </h2>
            <ul className={LIST}>
              {additions.map(({ date, text }) => (
                <li key={text}>{texts.addition(date, text)}</li>
              ))}
            </ul>
          </section>
        )}
        <div className="space-y-10">
          {sections.map(({ heading, body }) => (
            <section key={heading}>
              <h2 className="mb-2 text-heading font-semibold">{heading}</h2>
              <div className="space-y-3 text-ink-soft">
                {body.map((part) =>
                  typeof part === 'string' ? (
                    <p key={part}>
                      <Text text={part} />
                    </p>
                  ) : (
                    <ul key={part.join()} className={LIST}>
                      {part.map((item) => (
                        <li key={item}>
                          <Text text={item} />
                        </li>
                      ))}
                    </ul>
                  ),
                )}
              </div>
            </section>
          ))}
        </div>
      </article>
    </Page>
  )
}

function Text({ text }: { text: string }) {
  return text.split('**').map((part, index) =>
    index % 2 === 1 ? (
      <strong key={part} className="font-semibold text-ink">
        {part}
      </strong>
    ) : (
      part
    ),
  )
}
