/** Partitions and what requests do to them: execution, results of writes, routing. */
@NullMarked
package io.sdds.brick.partition;

import org.jspecify.annotations.NullMarked;
