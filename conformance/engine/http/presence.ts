/**
 * Whether the service is there. While it is away, cases that are under way end, and what they made
 * is removed when it is back: it may have lost what they rely on.
 */
export class Presence {
  /** The ids of operations that stopped the service too often to be called again. */
  readonly barred = new Set<string>();
  #times = 0;
  #back: Promise<void> | undefined;
  #noteBack: () => void = () => {};

  /** How often it has been away. */
  get times(): number {
    return this.#times;
  }

  get isAway(): boolean {
    return this.#back !== undefined;
  }

  leave(): void {
    if (this.isAway) {
      return;
    }
    this.#times++;
    this.#back = new Promise((resolve) => {
      this.#noteBack = resolve;
    });
  }

  /** @param barred operations that are called no more, since they stop the service */
  comeBack(barred: Iterable<string> = []): void {
    for (const operationId of barred) {
      this.barred.add(operationId);
    }
    this.#back = undefined;
    this.#noteBack();
  }

  async whenBack(): Promise<void> {
    await this.#back;
  }
}
