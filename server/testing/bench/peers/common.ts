/** Parts that are shared by the servers with which this one is compared. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

export interface NewEdge {
  mutual_tls: { enabled: boolean; certificate_authority_ids: string[] };
}

export interface Edge {
  id: string;
}

/** An edge as this API shows it, so that all servers send as many bytes. */
export function showEdge({ mutual_tls, ...body }: NewEdge, host: string | undefined): Edge {
  const id = `edghts_${randomUUID()}`;
  const base = `http://${host}`;
  const certificate_authorities = mutual_tls.certificate_authority_ids.map((one) => ({
    id: one,
    uri: `${base}/certificate_authorities/${one}`,
  }));
  return {
    ...body,
    id,
    created_at: new Date().toISOString(),
    uri: `${base}/edges/https/${id}`,
    mutual_tls: { enabled: mutual_tls.enabled, certificate_authorities },
    routes: [],
  } as Edge;
}

/** In the form of the reference server, so that all are started in the same way. */
export function announce(server: Server): void {
  process.stderr.write(`API   http://127.0.0.1:${(server.address() as AddressInfo).port}\n\n\n`);
  process.once('SIGTERM', () => process.exit(0));
}

/** The folder for the data, or a file: the last argument. */
export const lastArgument = process.argv.at(-1) ?? '';
