/** Lets React go on in a page that a translator or a read-aloud extension has changed. They replace or wrap the text
 *  nodes of a page. React's later calls name nodes that are no longer where React put them: it would throw, and the
 *  whole page would end (https://github.com/facebook/react/issues/11538). Called once, before the first page is drawn. */
export function tolerateTranslators(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    // Text that was replaced is nowhere, and text that was wrapped is deeper.
    const parent = child.parentNode
    if (parent) removeChild.call(this.contains(child) ? parent : this, child)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, next: Node | null) {
    let place = next
    while (place && place.parentNode !== this && this.contains(place)) place = place.parentNode
    insertBefore.call(this, child, place?.parentNode === this ? place : null)
    return child
  }
}
