/** The one way to move data: slices of a partition's records, the changes since, and one switch at the end. */
@NullMarked
package io.sdds.brick.migration;

import org.jspecify.annotations.NullMarked;
