import type { Form } from './check.ts';

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const PORT = /^[1-9][0-9]{0,4}$/;

export const HOSTPORT: Form = {
  shortest: 3,
  longest: 259,
  fits: (sent) => {
    const [host = '', port = '', ...rest] = sent.split(':');
    const labels = host.replace(/^\*\./, '').split('.');
    const isPort = PORT.test(port) && Number(port) <= 65_535;
    return isPort && rest.length === 0 && labels.every((label) => LABEL.test(label));
  },
  words: 'a host name, perhaps behind *., then a colon and a port from 1 to 65535',
};
