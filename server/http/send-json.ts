/** Ways to send an answer of JSON, which look the same from outside. */
import type { Response } from 'express';

/** @param type of media; the text is UTF-8 */
export type SendJson = (res: Response, body: unknown, type?: string) => void;

/** Past Express, whose own way asks for settings, freshness and entity tags, of which this service has none. */
export const sendJson: SendJson = (res, body, type = 'application/json') => {
  const text = JSON.stringify(body);
  res.setHeader('Content-Type', `${type}; charset=utf-8`);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
};

/** By Express: the validator that judges answers listens there. */
export const sendThroughExpress: SendJson = (res, body, type) => {
  if (type !== undefined) res.type(type);
  res.json(body);
};
