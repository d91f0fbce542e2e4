/** A hostile case, and what is asked of the server that meets it. */

export interface Case {
  name: string;
  /**
   * What goes over the wire. Bytes are sent as they are, and the sending side is closed then; a list goes out piece by
   * piece, each in a packet of its own.
   */
  send: string | Buffer | readonly (string | Buffer)[] | Conversation;
  /** It is right to serve this, as it is no more than odd; nothing is stored by it all the same. */
  mayBeServed?: boolean;
  /** Takes longer than a test should. */
  long?: boolean;
}

/** Whatever bytes alone cannot do. Gives what came back on all of its connections. */
export type Conversation = (target: Target) => Promise<Reply[]>;

export interface Kind {
  name: string;
  cases: Case[];
  /** How many cases at once; 16 when omitted. */
  atOnce?: number;
}

export interface Target {
  port: number;
  token: string;
  /** How many rounds of generated cases. */
  rounds: number;
  /** Of this process, too. */
  openFiles: number;
}

/** What came back on one connection. */
export interface Reply {
  /** Of each response, in order. */
  statuses: number[];
  /** What is wrong with the responses themselves. */
  problems: string[];
  /** The server ended it, and not we. */
  closed: boolean;
  /** Bytes that the server took. */
  sent: number;
}
