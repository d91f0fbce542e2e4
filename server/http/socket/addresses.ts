/** The number of open connections of each address. */
import type { Socket } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

export class Addresses {
  readonly #open = new Map<string, number>();

  /** @returns how many connections the address has, with this one */
  enter(socket: Socket): number {
    // A client with many IPv6 addresses has them in one network (/56).
    const address = ipKeyGenerator(socket.remoteAddress ?? '');
    const count = this.#countOf(address) + 1;
    this.#open.set(address, count);
    socket.once('close', () => this.#leave(address));
    return count;
  }

  #leave(address: string): void {
    const left = this.#countOf(address) - 1;
    if (left > 0) {
      this.#open.set(address, left);
    } else {
      this.#open.delete(address);
    }
  }

  #countOf(address: string): number {
    return this.#open.get(address) ?? 0;
  }
}
