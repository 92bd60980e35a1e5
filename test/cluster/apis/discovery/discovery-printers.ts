/** Columns of the kinds of the group, and their descriptions. */

import { listOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, firstFew, nameOf, type Printer } from '../printing/printer.ts';

const endpointSlices: Printer = {
  columns: 'Name|AddressType|Ports|Endpoints|Age',
  cells(object, ago) {
    const ports = listOf(object.ports).map(({ port }) => String(port ?? '*'));
    const addresses = listOf(object.endpoints).flatMap((endpoint) =>
      Array.isArray(endpoint.addresses) ? endpoint.addresses.map(String) : [],
    );
    return [
      nameOf(object),
      String(object.addressType ?? ''),
      ports.length === 0 ? '<unset>' : firstFew(ports),
      addresses.length === 0 ? '<unset>' : firstFew(addresses),
      ageOf(object, ago),
    ];
  },
};

/** Printers of the kinds of the group, by plural. */
export const discoveryPrinters: Readonly<Record<string, Printer>> = { endpointslices: endpointSlices };

/** Descriptions of the columns, by `plural Column`. */
export const discoveryColumnTexts: Readonly<Record<string, string>> = {
  'endpointslices AddressType':
    'addressType specifies the type of address carried by this EndpointSlice. All addresses in this slice must be the same type. This field is immutable after creation. The following address types are currently supported: * IPv4: Represents an IPv4 Address. * IPv6: Represents an IPv6 Address. * FQDN: Represents a Fully Qualified Domain Name.',
  'endpointslices Endpoints':
    'endpoints is a list of unique endpoints in this slice. Each slice may include a maximum of 1000 endpoints.',
  'endpointslices Ports':
    'ports specifies the list of network ports exposed by each endpoint in this slice. Each port must have a unique name. When ports is empty, it indicates that there are no defined ports. When a port is defined with a nil port value, it indicates "all ports". Each slice may include a maximum of 100 ports.',
};
