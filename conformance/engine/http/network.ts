/** The way to the service: certificates of TLS, and a proxy that passes connections on. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { decode } from '../contract/percent-encoding.ts';

export interface Network {
  /**
   * Texts in PEM: the certificate and key of the client, and the authorities that it trusts in
   * place of those that Node knows.
   */
  tls?: { cert?: string; key?: string; ca?: string };
  /** A URL of http or https, with credentials if the proxy asks for some. */
  proxy?: URL;
  /** The options of curl that mean the same. */
  curl?: readonly string[];
}

const BRACKETS = /^\[|\]$/g;

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(BRACKETS, '');

/**
 * The start of a connection of TLS: a port of the host, or a connection to it that a proxy has
 * made.
 */
type Start = { port: number } | { socket: Socket };

/** A connection to the host of `base`; through a proxy it comes later. */
export function connectTo(base: URL, { tls, proxy }: Network): Socket | Promise<Socket> {
  const host = hostOf(base);
  const isSecure = base.protocol === 'https:';
  const port = Number(base.port) || (isSecure ? 443 : 80);
  // An address is not a name of a server.
  const servername = isIP(host) ? '' : host;
  const secured = (start: Start): Socket => connectTls({ ...start, ...tls, host, servername });
  if (proxy !== undefined) {
    const tunnel = tunnelThrough(proxy, `${base.hostname}:${port}`);
    return isSecure ? tunnel.then((socket) => secured({ socket })) : tunnel;
  }
  if (isSecure) {
    return secured({ port });
  }
  return connect({ host, port, noDelay: true });
}

/** RFC 9110, 9.3.6. @throws Error if the proxy makes no connection */
function tunnelThrough(proxy: URL, authority: string): Promise<Socket> {
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send({
    host: hostOf(proxy),
    port: proxy.port,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    agent: false,
  });
  return new Promise((resolve, reject) => {
    const failed = (why: string): void =>
      reject(new Error(`the proxy makes no connection: ${why}`));
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      failed(`it responds ${statusCode}`);
    });
    request.once('response', ({ statusCode }) => failed(`it responds ${statusCode}`));
    request.once('error', ({ message }) => failed(message));
    request.end();
  });
}

/** The header field with the credentials in the URL of a proxy, if it has some. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') {
    return {};
  }
  const user = `${decode(username)}:${decode(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}
