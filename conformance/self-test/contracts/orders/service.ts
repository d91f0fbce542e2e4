/**
 * An Express application in which express-openapi-validator checks requests by the contract beside
 * it.
 */
import { randomUUID } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
} from 'express';
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

const BODY_TYPES = ['application/json', 'application/merge-patch+json'];

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
  app.use(express.json({ type: BODY_TYPES }));
  app.use(readCookies);
  app.use(middleware({ apiSpec: document, validateSecurity: false, validateApiSpec: false }));
  app.use(refuseMisread);
  const orders = new Map<string, Order>();
  serveAll(app, orders, planted);
  serveOne(app, orders, planted);
  app.use(refuseByError);
  return app;
}

const readCookies: RequestHandler = (req, _res, next) => {
  const cookies: Record<string, string> = {};
  for (const pair of (req.headers.cookie ?? '').split(/; */)) {
    const [name = '', value] = pair.split('=');
    if (value !== undefined) {
      cookies[name] = value;
    }
  }
  req.cookies = cookies;
  next();
};

/** The parser of queries drops `__proto__`, and the validator takes `Infinity` for a number. */
const refuseMisread: RequestHandler = (req, res, next) => {
  if (/__proto__|Infinity/.test(decodeURIComponent(req.url))) {
    return refuse(res, 400, 'the query is wrong');
  }
  next();
};

const refuseByError: ErrorRequestHandler = (error, _req, res, _next) => {
  for (const [name, value] of Object.entries(error.headers ?? {})) {
    res.set(name, String(value));
  }
  refuse(res, error.status ?? 500, error.message);
};

function refuse(res: Response, status: number, message: string): void {
  res.status(status).json({ message });
}

/** Whether an order fits all filters. */
function isWanted(order: Order, { status, quantity = {} }: Filters, planted: Planted): boolean {
  const wanted = planted('first-of-several-values') ? status?.slice(0, 1) : status;
  if (wanted && !wanted.includes(order.status) && !planted('filter-is-ignored')) {
    return false;
  }
  const { min = 1, max = Infinity } = quantity;
  if (planted('range-without-its-end') && order.quantity === max) {
    return false;
  }
  return order.quantity >= min && order.quantity <= max;
}

function serveAll(app: Express, orders: Map<string, Order>, planted: Planted): void {
  app.get('/orders', (req, res) => {
    const filters = req.query as unknown as Filters;
    const { limit, offset } = filters;
    const all = [...orders.values()].filter((order) => isWanted(order, filters, planted));
    const start = planted('page-repeats-an-item') ? Math.max(0, offset - 1) : offset;
    const length = planted('page-has-one-more') ? limit + 1 : limit;
    const items = all.slice(start, start + length);
    res.json({ items, total: planted('total-is-of-the-page') ? items.length : all.length });
  });

  app.post('/orders', (req, res) => {
    const { customer, coupon, note = null, quantity = 1, payment } = req.body;
    if (planted('null-ends-in-500') && req.body.note === null) {
      throw new Error('null has no length');
    }
    const order: Order = {
      id: randomUUID(),
      created_at: new Date().toISOString(),
      status: 'open',
      next_step: 'cancel_or_pay',
      customer,
      note,
      quantity,
      payment,
    };
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
    res.location(`/orders/${order.id}`);
    res.status(planted('create-is-200') ? 200 : 201).json(order);
  });
}

function serveOne(app: Express, orders: Map<string, Order>, planted: Planted): void {
  app.use('/orders/:id', (req, res, next) => {
    const order = orders.get(req.params['id'].toLowerCase());
    if (!order) {
      return refuse(res, 404, 'there is no such order');
    }
    res.locals['order'] = order;
    next();
  });

  app.get('/orders/:id', (_req, res) => {
    res.json(res.locals['order']);
  });

  app.patch('/orders/:id', (req, res) => {
    const order = res.locals['order'] as Order;
    const omittedNote = planted('patch-replaces') ? null : order.note;
    const { note = omittedNote, quantity = order.quantity } = req.body;
    const changed: Order = { ...order, note, quantity };
    if (planted('null-changes-nothing') && note === null) {
      changed.note = order.note;
    }
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
