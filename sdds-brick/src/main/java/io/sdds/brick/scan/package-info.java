/** Scans and range queries, a bounded step at a time, filtered next to the records (docs/design/scans.md, ranges.md). */
@NullMarked
package io.sdds.brick.scan;

import org.jspecify.annotations.NullMarked;
