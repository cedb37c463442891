import { answerWish, readWish } from '../albums/wish-answers.ts'
import { letterTokenInput } from '../contract/letters.ts'
import { answerWishInput, wishOutput } from '../contract/take-out.ts'
import { procedure, router } from './trpc.ts'

/** What the owner does with the links of the letter about guests' wishes. The token in the link is all that is needed. */
export const wishesRouter = router({
  /** A mutation, so that the token is in no address. */
  read: procedure
    .input(letterTokenInput)
    .output(wishOutput)
    .mutation(({ ctx: { services, visitor, origin }, input: { token } }) =>
      readWish(services, { token, address: visitor.address }, origin),
    ),

  answer: procedure
    .input(answerWishInput)
    .output(wishOutput)
    .mutation(({ ctx: { services, visitor, origin }, input }) =>
      answerWish(services, { ...input, address: visitor.address }, origin),
    ),
})
