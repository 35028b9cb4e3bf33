/** Partitions and what requests do to them: operations, results of writes, logical time (docs/design/writes.md). */
@NullMarked
package io.sdds.brick.partition;

import org.jspecify.annotations.NullMarked;
