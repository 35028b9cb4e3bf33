/** The main job, end to end, shown while it happens. */
@NullMarked
package io.sdds.cli.demo;

import org.jspecify.annotations.NullMarked;
