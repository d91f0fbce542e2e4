/** Connections with certificates and by a proxy, over real sockets. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { Client } from './client.ts';
import { withoutCredentials } from './given-credentials.ts';
import type { Implementation } from './implementation.ts';
import type { Network } from './network.ts';

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};

/** A certificate that signs itself, and its key, in PEM. */
async function identity(): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 60_000);
  const notAfter = new Date(Date.now() + 3_600_000);
  const extensions = [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])];
  const made = await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=127.0.0.1', keys, notBefore, notAfter, signingAlgorithm: RSA, extensions },
    webcrypto as never,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString(
    'base64',
  );
  return {
    cert: made.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Passes connections on for one user. @returns its URL, and the places that were asked for */
async function proxy(): Promise<{ url: URL; asked: string[] }> {
  const asked: string[] = [];
  const server = createHttp();
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push(url);
    if (headers['proxy-authorization'] !== `Basic ${Buffer.from('me:p@ss').toString('base64')}`) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    const to = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      to.pipe(socket).pipe(to);
    });
    for (const one of [to, socket]) {
      one.on('error', () => [to, socket].forEach((each) => each.destroy()));
    }
  });
  return { url: new URL(`http://me:p%40ss@127.0.0.1:${await listening(server)}`), asked };
}

const send = async (base: string, network: Network, times = 1) => {
  const client = new Client({ base, headers: {}, timeoutMs: 10_000, connections: 2, network });
  onTestFinished(() => client.close());
  const statuses = [];
  for (let count = 0; count < times; count++) {
    statuses.push((await client.send({ method: 'GET', target: '/' })).status);
  }
  return statuses;
};

const refuseStrangers: RequestListener = ({ socket }, response) =>
  void response
    .writeHead((socket as TLSSocket).authorized ? 200 : 403, { 'content-length': '0' })
    .end();

test('a certificate is shown, authorities are trusted, and a proxy passes both on', async () => {
  const own = await identity();
  const service = await identity();
  const server = createHttps(
    { ...service, ca: own.cert, requestCert: true, rejectUnauthorized: false },
    refuseStrangers,
  );
  const base = `https://127.0.0.1:${await listening(server)}`;
  const { url, asked } = await proxy();
  const trusting = { ca: service.cert };
  expect(await send(base, { tls: { ...own, ...trusting } })).toEqual([200]);
  expect(await send(base, { tls: trusting })).toEqual([403]);
  await expect(send(base, { tls: own })).rejects.toThrow('self-signed certificate');
  expect(await send(base, { tls: { ...own, ...trusting }, proxy: url }, 3)).toEqual([
    200, 200, 200,
  ]);
  // One connection for all.
  expect(asked).toEqual([new URL(base).host]);
});

test('a proxy reaches a service without TLS, and its refusal is not a response', async () => {
  const server = createHttp((_, response) => void response.writeHead(204).end());
  const base = `http://127.0.0.1:${await listening(server)}`;
  const { url } = await proxy();
  expect(await send(base, { proxy: url }, 2)).toEqual([204, 204]);
  const stranger = new URL(url);
  stranger.password = 'other';
  await expect(send(base, { proxy: stranger })).rejects.toThrow(
    'the proxy makes no connection: it responds 407',
  );
  const nobody = new URL(
    `http://127.0.0.1:${await listening(createHttp((_, response) => void response.end()))}`,
  );
  await expect(send(base, { proxy: nobody })).rejects.toThrow(/connection/);
});

test('a certificate is what a scheme of mutual TLS asks for', () => {
  const contract = parseContract(`
openapi: 3.1.0
info: {title: Locked, version: 1.0.0}
security: [{tls: []}]
paths: {/: {get: {operationId: look, responses: {'200': {description: It is open.}}}}}
components: {securitySchemes: {tls: {type: mutualTLS}}}
`);
  const given = (network: Network) => {
    const client = new Client({
      base: 'http://a',
      headers: {},
      timeoutMs: 1,
      connections: 1,
      network,
    });
    return withoutCredentials({ contract, client } as Implementation, operationsOf(contract)[0]!);
  };
  expect(given({ tls: { cert: 'c', key: 'k' } })).toBeUndefined();
  expect(given({ tls: { ca: 'a' } })).toMatch(
    /^look asks for credentials \(tls as a certificate\): give them with --cert and --key$/,
  );
});
