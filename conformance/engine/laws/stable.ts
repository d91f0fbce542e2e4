/** What nobody changes stays as it is. */
import { expectSame } from '../http/nonconformity.ts';
import { createAll, createOne, expectShown, placeFor, read, remove, update } from './items.ts';
import { forAll, laws, moreThanASecond, once } from './law.ts';

/** A store or a cache with room for a few forgets the first of them. */
const DOZENS = 60;

export const stableLaws = laws({
  stable: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `${one} that nobody changes does not change, however often it is read and whatever happens beside it.`.replace(
        /^./,
        (letter) => letter.toUpperCase(),
      ),
    properties: (resource, implementation, offered) => [
      // Where there is a list, `many` has dozens.
      ...(offered('list')
        ? []
        : [
            once('dozens', async (session) => {
              const place = await placeFor(session, resource, { items: DOZENS });
              const items = await createAll(session, resource, place);
              for (const item of items)
                expectSame('It changed while others were created', await read(session, resource, item), item.shown);
            }),
          ]),
      ...(resource.values.bodies
        ? [
            forAll('reading again', resource.values.bodies(implementation), async (body, session) => {
              const item = await createOne(session, resource, body);
              for (let time = 0; time < 3; time++)
                expectSame('It changed by itself', await read(session, resource, item), item.shown);
            }),
          ]
        : []),
      once('while others change, and after more than a second', async (session) => {
        const place = await placeFor(session, resource, { items: 3, atLeast: 2 });
        const form = resource.values.full(implementation);
        const [item, other] = await createAll(
          session,
          resource,
          place,
          place.bodies.slice(0, 2).map((body) => ({ ...form, ...body })),
        );
        const look = async () => expectSame('It changed by itself', await read(session, resource, item!), item!.shown);
        await look();
        let beside = other!;
        if (offered('update') && place.bodies.length > 2) {
          const { members, other: otherOf } = resource.values;
          const patch = Object.fromEntries(members.map((member) => [member, otherOf(member, implementation, place)]));
          beside = await update(session, resource, beside, patch);
          expectShown(resource, 'The change is not there', beside.shown, resource.changed({}, patch));
        }
        await look();
        await moreThanASecond();
        await look();
        if (offered('delete')) await remove(session, resource, beside);
        await look();
        await look();
      }),
    ],
  },
});
