/** Scans and range queries in bounded steps, filtered next to the records (docs/design/scans.md, ranges.md). */
@NullMarked
package io.sdds.brick.scan;

import org.jspecify.annotations.NullMarked;
