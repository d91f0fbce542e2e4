import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Addresses } from './addresses.ts';

function socketFrom(remoteAddress: string): Socket {
  return Object.assign(new EventEmitter(), { remoteAddress }) as unknown as Socket;
}

test('the connections of an address are those that have entered and are not closed', () => {
  const addresses = new Addresses();
  const sockets = Array.from({ length: 3 }, () => socketFrom('192.0.2.1'));
  expect(sockets.map((socket) => addresses.enter(socket))).toEqual([1, 2, 3]);
  expect(addresses.enter(socketFrom('192.0.2.2'))).toBe(1);
  sockets[0]!.emit('close');
  sockets[1]!.emit('close');
  expect(addresses.enter(socketFrom('192.0.2.1'))).toBe(2);
});

test('addresses of one IPv6 network count together', () => {
  const addresses = new Addresses();
  const enter = (address: string) => addresses.enter(socketFrom(address));
  expect([enter('2001:db8::1'), enter('2001:db8::2:1'), enter('2001:db9::1')]).toEqual([1, 2, 1]);
});
