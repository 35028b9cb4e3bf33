/** The wire: frame layouts, control messages and their codec. */
@NullMarked
package io.sdds.core.protocol;

import org.jspecify.annotations.NullMarked;
