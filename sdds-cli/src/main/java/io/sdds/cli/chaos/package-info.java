/** {@code sdds chaos}: load with faults on a cluster of processes, and the check of all answers. */
@NullMarked
package io.sdds.cli.chaos;

import org.jspecify.annotations.NullMarked;
