import { Link } from '@tanstack/react-router'
import { notFound as texts } from '../../src/texts/english/trouble.ts'
import * as common from '../../src/texts/english/words.ts'
import { buttonLook } from '../ui/button-look.ts'
import { SearchIcon } from '../ui/more-icons.tsx'
import { MessagePage } from '../ui/page.tsx'

export default function NotFoundPage() {
  return (
    <MessagePage
      icon={<SearchIcon className="size-10" />}
      title={texts.title}
      action={
        <>
          <Link to="/selfie" className={buttonLook()}>
            {texts.findPhotos}
          </Link>
          <Link to="/" className={buttonLook('secondary')}>
            {common.backToHome}
          </Link>
        </>
      }
    >
      {texts.text}
    </MessagePage>
  )
}
