/** The commands that start a cluster of their own to try it: the demo, and the test with faults. */
@NullMarked
package io.sdds.cli.command.trial;

import org.jspecify.annotations.NullMarked;
