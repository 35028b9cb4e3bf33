/** Scans: intervals of pseudo-keys, filtered next to the records. */
@NullMarked
package io.sdds.brick.scan;

import org.jspecify.annotations.NullMarked;
