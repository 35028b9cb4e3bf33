/** The objects that the parts of one stage of a brick share. */
@NullMarked
package io.sdds.brick.stage;

import org.jspecify.annotations.NullMarked;
