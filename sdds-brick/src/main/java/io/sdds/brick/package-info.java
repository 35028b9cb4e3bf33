@NullMarked
package io.sdds.brick;

import org.jspecify.annotations.NullMarked;
