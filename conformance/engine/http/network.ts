/** The way to the service: certificates of TLS, and a proxy that passes connections on. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Network {
  /** Texts in PEM: what the client shows of itself, and whom it trusts in place of the authorities that Node knows. */
  tls?: { cert?: string; key?: string; ca?: string };
  /** Of http or https, with credentials where it wants some. */
  proxy?: URL;
  /** The same for curl. */
  curl?: readonly string[];
}

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** A connection to the host of `base`; through a proxy it comes later. */
export function connectTo(base: URL, { tls, proxy }: Network): Socket | Promise<Socket> {
  const host = hostOf(base);
  const isSecure = base.protocol === 'https:';
  const port = Number(base.port) || (isSecure ? 443 : 80);
  const secured = (way: { socket: Socket } | { port: number }) =>
    connectTls({ ...way, ...tls, host, servername: isIP(host) ? '' : host });
  if (proxy === undefined) {
    if (isSecure) {
      return secured({ port });
    }
    return connect({ host, port, noDelay: true });
  }
  const tunnel = tunnelThrough(proxy, `${base.hostname}:${port}`);
  return isSecure ? tunnel.then((socket) => secured({ socket })) : tunnel;
}

/** RFC 9110, 9.3.6. @throws Error where the proxy makes no connection */
function tunnelThrough(proxy: URL, authority: string): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  const { username, password } = proxy;
  const user = Buffer.from([username, password].map(decodeURIComponent).join(':')).toString(
    'base64',
  );
  const headers = {
    host: authority,
    ...(username !== '' && { 'proxy-authorization': `Basic ${user}` }),
  };
  const options = { method: 'CONNECT', path: authority, headers, agent: false };
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`the proxy makes no connection: ${why}`));
    request({ host: hostOf(proxy), port: proxy.port, ...options })
      .once('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) {
          return resolve(socket as Socket);
        }
        socket.destroy();
        failed(`it responds ${statusCode}`);
      })
      .once('response', ({ statusCode }) => failed(`it responds ${statusCode}`))
      .once('error', ({ message }) => failed(message))
      .end();
  });
}
