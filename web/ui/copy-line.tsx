import { type ReactNode, useRef } from 'react'
import { copyLine as texts } from '../../src/texts/english/copy-line.ts'
import { CopyIcon } from './action-icons.tsx'
import { Button } from './button.tsx'
import { toast } from './toast-store.ts'

export interface CopyLineProps {
  icon?: ReactNode
  /** What the text is, such as 'link'. */
  name: string
  value: string
}

/** A short text with a button that copies it. */
export function CopyLine({ icon, name, value }: CopyLineProps) {
  const text = useRef<HTMLSpanElement>(null)

  async function copy() {
    if (text.current && (await copied(value, text.current)))
      toast({ title: texts.copied(name), tone: 'success' })
    else toast({ title: texts.notCopied(name), description: texts.selected })
  }

  return (
    <div className="mt-3 flex items-center gap-2.5 rounded-md bg-sunken py-1 pr-1 pl-3">
      {icon}
      <span ref={text} className="min-w-0 grow py-2 font-mono text-sm break-all select-all">
        {value}
      </span>
      <Button look="quiet" aria-label={texts.copy(name)} onClick={copy} className="px-3! no-underline!">
        <CopyIcon />
      </Button>
    </div>
  )
}

/** Copies a text that the page shows. Where the browser refuses, the text is left selected. */
async function copied(value: string, where: HTMLElement): Promise<boolean> {
  try {
    // A page that came over plain http has no clipboard, except on the machine that serves it.
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(value)
      return true
    }
  } catch {
    // The visitor's settings forbid it. Copying the selection may still be allowed.
  }
  window.getSelection()?.selectAllChildren(where)
  return document.execCommand('copy')
}
