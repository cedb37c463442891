/** Lets React go on in a page that a translator or a read-aloud extension has changed. They replace the text nodes of a
 *  page by `<font>` elements, or wrap them. React's later calls name nodes that are no longer where React put them: it
 *  would throw, and the whole page would end (https://github.com/facebook/react/issues/11538), or new text would stay
 *  invisible. Called once, before the first page is drawn. */
export function tolerateTranslators(): void {
  const { removeChild, insertBefore } = Node.prototype
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')!
  /** What a translator has put in the place of a text. */
  const translations = new WeakMap<Node, Node>()
  const inPage = (node: Node) => (node.parentNode ? node : (translations.get(node) ?? node))

  new MutationObserver((changes) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      const [text] = removedNodes
      const font = [addedNodes[0], previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
      if (text?.nodeType === Node.TEXT_NODE && font) translations.set(text, font)
    }
  }).observe(document, { childList: true, subtree: true })

  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const shown = inPage(child)
    // Text that was wrapped is deeper.
    const parent = shown.parentNode
    if (parent) removeChild.call(this.contains(shown) ? parent : this, shown)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, next: Node | null) {
    let place = next && inPage(next)
    while (place && place.parentNode !== this && this.contains(place)) place = place.parentNode
    insertBefore.call(this, child, place?.parentNode === this ? place : null)
    return child
  }
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      value.set!.call(this, text)
      // The new text takes its place again, and is translated anew.
      const shown = inPage(this)
      if (shown !== this) shown.parentNode?.replaceChild(this, shown)
    },
  })
}
