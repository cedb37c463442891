import type { ReactNode } from 'react'
import { Page, PageHeading } from '../../ui/page.tsx'

export interface LegalTextProps {
  title: string
  updated: string
  sections: { heading: string; body: ReactNode }[]
}

/** A long text in parts with headings. It styles the lists and links inside. */
export function LegalText({ title, updated, sections }: LegalTextProps) {
  return (
    <Page width="read">
      <article>
        <PageHeading title={title} subtitle={`Last updated: ${updated}`} />
        <div className="space-y-9">
          {sections.map(({ heading, body }) => (
            <section
              key={heading}
              className="[&_li]:pl-1 [&_p+p]:mt-3 [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-5 [&_ul]:marker:text-line-strong"
            >
              <h2 className="mb-2.5 text-heading font-semibold">{heading}</h2>
              <div className="text-[1.0625rem] leading-relaxed text-ink-soft [&_strong]:font-semibold [&_strong]:text-ink">
                {body}
              </div>
            </section>
          ))}
        </div>
      </article>
    </Page>
  )
}
