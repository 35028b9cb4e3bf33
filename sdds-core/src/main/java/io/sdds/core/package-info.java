@NullMarked
package io.sdds.core;

import org.jspecify.annotations.NullMarked;
