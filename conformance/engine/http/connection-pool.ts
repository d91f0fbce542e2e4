/** The connections of a client, which are used again. */
import { Connection } from './connection.ts';
import type { Network } from './network.ts';

export interface PoolOptions {
  base: URL;
  timeoutMs: number;
  network: Network;
  /**
   * The most connections that are open at once, apart from those that requests have for themselves.
   */
  connections: number;
}

export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #open = new Set<Connection>();
  /** Connections that requests have for themselves. */
  readonly #apart = new Set<Connection>();
  /** Connections that no exchange uses, the last one used at the end. */
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * An idle connection or a new one; if there are as many as there may be, the next one that comes
   * back.
   */
  async take(): Promise<Connection> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isIdle) {
        return idle;
      }
      this.#end(idle);
    }
    if (this.#open.size < this.#options.connections) {
      return this.connect();
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** A new connection, also if there are as many as there may be. */
  connect(): Connection {
    const connection = this.#make();
    this.#open.add(connection);
    return connection;
  }

  /** A connection that is not used again: it is closed when it comes back. */
  alone(): Connection {
    const connection = this.#make();
    this.#apart.add(connection);
    return connection;
  }

  #make(): Connection {
    const { base, timeoutMs, network } = this.#options;
    return new Connection(base, timeoutMs, network);
  }

  giveBack(connection: Connection): void {
    if (this.#apart.delete(connection)) {
      connection.close();
      return;
    }
    if (!connection.isIdle) {
      this.#end(connection);
    }
    const next = this.#waiting.shift();
    if (next) {
      next(connection.isIdle ? connection : this.connect());
    } else if (connection.isIdle) {
      this.#idle.push(connection);
    }
  }

  /** Closes a connection that is not used again: the service need not close it. */
  #end(connection: Connection): void {
    connection.close();
    this.#open.delete(connection);
  }

  close(): void {
    for (const connection of [...this.#open, ...this.#apart]) {
      connection.close();
    }
  }
}
