import { heicHelp as texts } from '../../../../src/texts/english/heic-help.ts'
import { Notice } from '../../../ui/notice.tsx'

export default function HeicHelp() {
  return (
    <Notice tone="error" className="mt-3" title={texts.title}>
      <p>{texts.text}</p>
      <p className="mt-1">{texts.settings}</p>
    </Notice>
  )
}
