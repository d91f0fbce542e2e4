/**
 * The error or result of a call whose attempts fail. Every language prints the same:
 * clients/round-trip/failures.txt.
 */
import {
  ConnectionError,
  createClient,
  ProblemError,
  UnexpectedResponseError,
} from '@edge-contract/client';

const api = createClient({
  baseUrl: process.env['EDGE_URL'] ?? 'http://127.0.0.1:4010',
  token: 'failures-token',
});

const scripts = {
  get: [
    '503_200',
    '502_504_200',
    '500_500_500_200',
    '0_200',
    '0_0_0',
    '404',
    '400',
    '502_502_502',
    '503w_200',
    '200h',
  ],
  delete: ['204', '503_404', '404', '429_404'],
  create: ['503_201', '0_201', '429_201'],
};
for (const script of scripts.get) {
  await tried(`get ${script}`, api.getEdge({ edge_id: script }));
}
for (const script of scripts.delete) {
  await tried(`delete ${script}`, api.deleteEdge({ edge_id: script }));
}
await tried('update 0_200', api.updateEdge({ edge_id: '0_200' }, { metadata: 'm' }));
for (const script of scripts.create) {
  const call = api.createEventSource({ subscription_id: script }, { type: 'a.v0' });
  await tried(`create source ${script}`, call);
}
const path = { subscription_id: '503_200', type: 'a.v0' };
await tried('update source 503_200', api.updateEventSource(path, { type: 'b.v0' }));
for await (const { type } of api.listEventSources({ subscription_id: 'pages' })) {
  console.log(`source ${type}`);
}

async function tried(what: string, call: Promise<unknown>): Promise<void> {
  console.log(`${what}: ${await call.then(() => 'success', resultOf)}`);
}

function resultOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const parts = [error.response.url, ...error.errors.map(({ pointer }) => pointer ?? '')];
    if (!parts.every((part) => error.message.includes(part))) {
      throw new Error(`a message does not help: ${error.message}`);
    }
    return `${error.status} ${error.code}`;
  }
  if (error instanceof UnexpectedResponseError) {
    return `${error.status} unexpected`;
  }
  if (error instanceof ConnectionError) {
    return 'no response';
  }
  throw error;
}
