/**
 * Shipped programs, evaluated next to the records: batches of 256 records, one loop over primitive arrays for each
 * instruction, and no object for each record (docs/design/scans.md).
 */
@NullMarked
package io.sdds.brick.query;

import org.jspecify.annotations.NullMarked;
