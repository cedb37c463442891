import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** The parameters of Google's redirect (RFC 6749, §4.1.2); each is empty when it is missing. */
export interface ReturnedCode {
  code: string
  state: string
  error: string
}

/** Reads the code from the address once, and removes it from the address bar and the browser's history. */
export function useReturnedCode(): ReturnedCode {
  const { history } = useRouter()
  const [returned] = useState(() => {
    const query = new URLSearchParams(window.location.search)
    return {
      code: query.get('code') ?? '',
      state: query.get('state') ?? '',
      error: query.get('error') ?? '',
    }
  })
  useEffect(() => {
    if (window.location.search) history.replace(window.location.pathname)
  }, [history])
  return returned
}
