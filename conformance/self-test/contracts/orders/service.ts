/** An Express application in which express-openapi-validator checks requests by the contract beside it. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { NOTHING, type Planted } from '../../planted.ts';

interface Order extends Record<string, unknown> {
  id: string;
  created_at: string;
  status: 'open' | 'cancelled';
  next_step: 'cancel_or_pay' | 'nothing';
  note: string | null;
  quantity: number;
  payment: Record<string, unknown>;
}

interface Filters {
  status?: string[];
  quantity?: { min?: number; max?: number };
  limit: number;
  offset: number;
}

/** @param document the parsed contract, which is changed */
export function createOrders(document: any, planted: Planted = NOTHING): Express {
  const { Quantity, Card } = document.components.schemas;
  if (planted('maximum-is-not-checked')) {
    delete Quantity.maximum;
  }
  if (planted('pattern-is-not-anchored')) {
    Card.properties.last4.pattern = '[0-9]{4}';
  }

  const app = express().set('query parser', 'extended').disable('x-powered-by');
  app.use(express.json({ type: ['application/json', 'application/merge-patch+json'] }));
  app.use((req, _res, next) => {
    const pairs = (req.headers.cookie ?? '')
      .split(/; */)
      .map((pair) => pair.split('=') as [string, string]);
    req.cookies = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
    next();
  });
  app.use(middleware({ apiSpec: document, validateSecurity: false, validateApiSpec: false }));

  app.use((req, res, next) => {
    // The parser of queries drops the one, and the validator takes the other for a number.
    if (/__proto__|Infinity/.test(decodeURIComponent(req.url))) {
      return refuse(res, 400, 'the query is wrong');
    }
    next();
  });
  const orders = new Map<string, Order>();
  serveAll(app, orders, planted);
  serveOne(app, orders, planted);

  app.use(((error, _req, res, _next) => {
    for (const [name, value] of Object.entries(error.headers ?? {})) {
      res.set(name, String(value));
    }
    refuse(res, error.status ?? 500, error.message);
  }) satisfies ErrorRequestHandler);
  return app;
}

function serveAll(app: Express, orders: Map<string, Order>, planted: Planted): void {
  app.get('/orders', (req, res) => {
    const {
      status,
      quantity: { min = 1, max = Infinity } = {},
      limit,
      offset,
    } = req.query as unknown as Filters;
    const wanted = planted('first-of-several-values') ? status?.slice(0, 1) : status;
    const fits = (one: Order) =>
      (!wanted || planted('filter-is-ignored') || wanted.includes(one.status)) &&
      (planted('range-without-its-end') && max !== Infinity
        ? one.quantity < max
        : one.quantity <= max) &&
      one.quantity >= min;
    const all = [...orders.values()].filter(fits);
    const from = planted('page-repeats-an-item') ? Math.max(0, offset - 1) : offset;
    const items = all.slice(from, from + limit + (planted('page-has-one-more') ? 1 : 0));
    res.json({ items, total: planted('total-is-of-the-page') ? items.length : all.length });
  });

  app.post('/orders', (req, res) => {
    const { customer, coupon, note = null, quantity = 1, payment } = req.body;
    if (planted('null-ends-in-500') && req.body.note === null) {
      throw new Error('null has no length');
    }
    const made = {
      id: randomUUID(),
      created_at: new Date().toISOString(),
      status: 'open' as const,
    };
    const order: Order = { ...made, next_step: 'cancel_or_pay', customer, note, quantity, payment };
    if (planted('secret-is-shown')) {
      order['coupon'] = coupon;
    }
    if (planted('variant-loses-a-member') && payment.type === 'transfer') {
      order.payment = { type: 'transfer' };
    }
    if (planted('text-is-trimmed')) {
      order['customer'] = customer.trim() || '-';
    }
    orders.set(order.id, order);
    res
      .location(`/orders/${order.id}`)
      .status(planted('create-is-200') ? 200 : 201)
      .json(order);
  });
}

function serveOne(app: Express, orders: Map<string, Order>, planted: Planted): void {
  app.use('/orders/:id', (req, res, next) => {
    const order = orders.get(req.params['id']!.toLowerCase());
    if (!order) {
      return refuse(res, 404, 'there is no such order');
    }
    res.locals['order'] = order;
    next();
  });
  app.get('/orders/:id', (_req, res) => void res.json(res.locals['order']));
  app.patch('/orders/:id', (req, res) => {
    const order = res.locals['order'] as Order;
    const { note = planted('patch-replaces') ? null : order.note, quantity = order.quantity } =
      req.body;
    const kept = planted('null-changes-nothing') && note === null ? order.note : note;
    const changed = { ...order, note: kept, quantity };
    if (planted('created-at-changes')) {
      changed.created_at = new Date(Date.now() + 60_000).toISOString();
    }
    if (!planted('patch-is-lost')) {
      orders.set(order.id, changed);
    }
    res.json(changed);
  });
  app.delete('/orders/:id', (_req, res) => {
    if (!planted('delete-removes-nothing')) {
      orders.delete(res.locals['order'].id);
    }
    res.status(204).end();
  });
  app.post('/orders/:id/cancel', (_req, res) => {
    const order = res.locals['order'] as Order;
    if (order.status === 'cancelled' && !planted('cancelled-twice')) {
      return refuse(res, 409, 'it is cancelled');
    }
    if (!planted('cancel-changes-nothing')) {
      Object.assign(order, { status: 'cancelled', next_step: 'nothing' });
    }
    res.json(order);
  });
}

function refuse(res: Response, status: number, message: string): void {
  res.status(status).json({ message });
}
