import { confirmLetterAddress } from '../albums/change-letter-address.ts'
import { confirmAddress, endLetters } from '../albums/letter-answers.ts'
import { confirmLetterAddressOutput } from '../contract/letter-address.ts'
import { confirmAddressOutput, endLettersOutput, letterTokenInput } from '../contract/letters.ts'
import { procedure, router } from './trpc.ts'

/** What the recipient of a letter does with its links. The token in the link is all that is needed. */
export const lettersRouter = router({
  /** The album was opened through the link of its letter. */
  confirm: procedure
    .input(letterTokenInput)
    .output(confirmAddressOutput)
    .mutation(async ({ ctx: { services, visitor }, input }) => {
      await confirmAddress(services, { token: input.token, address: visitor.address })
      return { confirmed: true as const }
    }),

  /** The button of the letter to a new address was pressed. */
  confirmNewAddress: procedure
    .input(letterTokenInput)
    .output(confirmLetterAddressOutput)
    .mutation(({ ctx: { services, visitor }, input: { token } }) =>
      confirmLetterAddress(services, { token, address: visitor.address }),
    ),

  /** "This was not me": no more letters from this album. */
  stop: procedure
    .input(letterTokenInput)
    .output(endLettersOutput)
    .mutation(({ ctx: { services, visitor }, input }) =>
      endLetters(services, { token: input.token, address: visitor.address }),
    ),
})
