/** Load with faults on a cluster of processes, and the check of what was seen: {@code sdds chaos}. */
@NullMarked
package io.sdds.cli.chaos;

import org.jspecify.annotations.NullMarked;
