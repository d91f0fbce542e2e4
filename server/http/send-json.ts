/** Ways to send an answer of JSON, which look the same from outside. */
import type { Response } from 'express';

/** @param location the value of that header, if there is to be one */
export type SendJson = (res: Response, status: number, body: unknown, location?: string) => void;

/** Past Express, whose own way asks for settings, freshness and entity tags, of which this service has none. */
export const sendJson: SendJson = (res, status, body, location) => {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length)];
  if (location !== undefined) head.push('Location', location);
  res.writeHead(status, head);
  // ASCII is the same in both, and is copied without a look at each character.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
};

/** By Express: the validator that judges answers listens there. */
export const sendThroughExpress: SendJson = (res, status, body, location) => {
  if (location !== undefined) res.set('Location', location);
  res.status(status).json(body);
};
