import { Component, createRef, type ReactNode } from 'react'

/** Stays where it is in the window when what is above it becomes higher or lower with the same change of state. Without
 *  it, what the visitor wants to press would move away. */
export class KeptInPlace extends Component<{ children: ReactNode }> {
  private readonly box = createRef<HTMLDivElement>()

  private top(): number {
    return this.box.current!.getBoundingClientRect().top
  }

  override getSnapshotBeforeUpdate(): number {
    return this.top()
  }

  override componentDidUpdate(_props: unknown, _state: unknown, formerTop: number) {
    const moved = this.top() - formerTop
    if (moved !== 0 && formerTop < window.innerHeight) window.scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    return <div ref={this.box}>{this.props.children}</div>
  }
}
