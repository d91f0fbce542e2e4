/** Laws that several resources of this API do without, with the reasons that they share. */
import { because } from '../define.ts';

/** Why laws are not tried of any resource of this API. */
export const REPLACED_FOR_EACH = {
  ...because(
    'the contract has none of these',
    'filtered',
    'sorted',
    'actions',
    'readOnly',
    'changedTimes',
    'merged',
    'removedListed',
    'restoredConflict',
  ),
  ...because('no parameter of a list is a limit, a text or a time', 'statedFilters', 'timeFilters'),
  ...because('read-your-write and listed compare the items that a run made', 'listedRead'),
  ...because('its own laws of order and pages demand it', 'statedOrder', 'defaultSize'),
  endOfLocation: 'location compares all of it',
  alteredId: '….path.….altered tries each operation',
  refusedReasons: '….unchanged tries each status of each operation',
};

/** Why laws are not tried of resources whose own laws know which values are unique. */
export const REPLACED_FOR_UNIQUE = because(
  'uniqueCreate and uniqueUpdate know what is unique',
  'conflict',
  'conflictAtOnce',
  'updateConflict',
);
